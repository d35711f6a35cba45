// The part of fengari (Lua 5.3 in JavaScript) that is used; the package carries no types.
declare module 'fengari' {
  export interface LuaState {
    readonly brand: unique symbol
  }
  type LuaString = Uint8Array
  type LuaFunction = (state: LuaState) => number
  export const to_luastring: (text: string) => LuaString
  export const to_jsstring: (text: LuaString) => string
  export const lua: {
    LUA_OK: number
    LUA_REGISTRYINDEX: number
    LUA_TNUMBER: number
    LUA_TSTRING: number
    LUA_TBOOLEAN: number
    LUA_TTABLE: number
    lua_type(state: LuaState, index: number): number
    lua_gettop(state: LuaState): number
    lua_settop(state: LuaState, index: number): void
    lua_pop(state: LuaState, count: number): void
    lua_pushboolean(state: LuaState, value: boolean): void
    lua_pushinteger(state: LuaState, value: number): void
    lua_pushnumber(state: LuaState, value: number): void
    lua_pushstring(state: LuaState, text: LuaString): void
    lua_pushcfunction(state: LuaState, value: LuaFunction): void
    lua_createtable(state: LuaState, items: number, fields: number): void
    lua_rawgeti(state: LuaState, index: number, key: number): number
    lua_rawseti(state: LuaState, index: number, key: number): void
    lua_getfield(state: LuaState, index: number, key: LuaString): number
    lua_setfield(state: LuaState, index: number, key: LuaString): void
    lua_setglobal(state: LuaState, name: LuaString): void
    lua_toboolean(state: LuaState, index: number): boolean
    lua_tonumber(state: LuaState, index: number): number
    lua_tostring(state: LuaState, index: number): LuaString
    lua_isstring(state: LuaState, index: number): boolean
    lua_isnil(state: LuaState, index: number): boolean
    lua_pcall(state: LuaState, args: number, results: number, handler: number): number
  }
  export const lauxlib: {
    luaL_newstate(): LuaState
    luaL_loadbuffer(state: LuaState, code: LuaString, size: number, name: LuaString): number
    luaL_ref(state: LuaState, table: number): number
    luaL_error(state: LuaState, message: LuaString): number
  }
  export const lualib: { luaL_openlibs(state: LuaState): void }
  const fengari: {
    lua: typeof lua
    lauxlib: typeof lauxlib
    lualib: typeof lualib
    to_luastring: typeof to_luastring
    to_jsstring: typeof to_jsstring
  }
  export default fengari
}
