import fengari, { type LuaState } from 'fengari'
import { messageOf } from '../failure.ts'
import { RedisError, type RedisReply } from '../redis-backend.ts'

const { lua, lauxlib, lualib, to_luastring, to_jsstring } = fengari

/** Runs a script with its keys and arguments, as EVAL does. */
export type RunScript = (script: string, keys: string[], args: string[]) => RedisReply

/**
 * A Lua machine whose `redis.call` and `redis.pcall` run commands through `call`. Scripts are
 * compiled once. Nothing else runs meanwhile, so a script is atomic as in Redis.
 */
export function createScriptRunner(call: (command: string[]) => RedisReply): RunScript {
  const state = lauxlib.luaL_newstate()
  lualib.luaL_openlibs(state)
  defineRedisTable(state, call)
  const compiled = new Map<string, number>()
  return (script, keys, args) => {
    try {
      const reference = compiled.get(script) ?? compile(state, script)
      compiled.set(script, reference)
      setGlobal(state, 'KEYS', keys)
      setGlobal(state, 'ARGV', args)
      lua.lua_rawgeti(state, lua.LUA_REGISTRYINDEX, reference)
      if (lua.lua_pcall(state, 0, 1, 0) !== lua.LUA_OK)
        throw new RedisError(`ERR ${to_jsstring(lua.lua_tostring(state, -1))}`)
      return toReply(state, lua.lua_gettop(state))
    } finally {
      lua.lua_settop(state, 0)
    }
  }
}

function compile(state: LuaState, script: string): number {
  const code = to_luastring(script)
  const name = to_luastring('@user_script')
  if (lauxlib.luaL_loadbuffer(state, code, code.length, name) !== lua.LUA_OK)
    throw new RedisError(`ERR Error compiling script: ${to_jsstring(lua.lua_tostring(state, -1))}`)
  return lauxlib.luaL_ref(state, lua.LUA_REGISTRYINDEX)
}

function defineRedisTable(state: LuaState, call: (command: string[]) => RedisReply): void {
  const run = (protect: boolean) => (current: LuaState) => {
    try {
      pushValue(current, call(readArguments(current)))
      return 1
    } catch (error) {
      const message = messageOf(error)
      return protect
        ? pushField(current, 'err', message)
        : lauxlib.luaL_error(current, to_luastring(message))
    }
  }
  const reply = (field: 'err' | 'ok') => (current: LuaState) =>
    pushField(current, field, readArguments(current)[0] ?? '')
  lua.lua_createtable(state, 0, 4)
  const functions = {
    call: run(false),
    pcall: run(true),
    error_reply: reply('err'),
    status_reply: reply('ok'),
  }
  for (const [name, implementation] of Object.entries(functions)) {
    lua.lua_pushcfunction(state, implementation)
    lua.lua_setfield(state, -2, to_luastring(name))
  }
  lua.lua_setglobal(state, to_luastring('redis'))
}

function readArguments(state: LuaState): string[] {
  return Array.from({ length: lua.lua_gettop(state) }, (_, index) =>
    lua.lua_type(state, index + 1) === lua.LUA_TNUMBER
      ? String(lua.lua_tonumber(state, index + 1))
      : to_jsstring(lua.lua_tostring(state, index + 1)),
  )
}

function setGlobal(state: LuaState, name: string, values: string[]): void {
  pushValue(state, values)
  lua.lua_setglobal(state, to_luastring(name))
}

function pushField(state: LuaState, field: string, text: string): number {
  lua.lua_createtable(state, 0, 1)
  pushValue(state, text)
  lua.lua_setfield(state, -2, to_luastring(field))
  return 1
}

/** In Lua, Redis's null is `false`. */
function pushValue(state: LuaState, value: RedisReply): void {
  if (value === null) lua.lua_pushboolean(state, false)
  else if (typeof value === 'string') lua.lua_pushstring(state, to_luastring(value))
  else if (typeof value === 'number') {
    const fits = Number.isInteger(value) && Math.abs(value) < 2 ** 31
    if (fits) lua.lua_pushinteger(state, value)
    else lua.lua_pushnumber(state, value)
  } else {
    lua.lua_createtable(state, value.length, 0)
    value.forEach((item, index) => {
      pushValue(state, item)
      lua.lua_rawseti(state, -2, index + 1)
    })
  }
}

/** Redis cuts numbers to integers, makes `true` 1 and `false` null, and ends a table at its first nil. */
function toReply(state: LuaState, index: number): RedisReply {
  switch (lua.lua_type(state, index)) {
    case lua.LUA_TNUMBER:
      return Math.trunc(lua.lua_tonumber(state, index))
    case lua.LUA_TSTRING:
      return to_jsstring(lua.lua_tostring(state, index))
    case lua.LUA_TBOOLEAN:
      return lua.lua_toboolean(state, index) ? 1 : null
    case lua.LUA_TTABLE:
      return tableToReply(state, index)
    default:
      return null
  }
}

function tableToReply(state: LuaState, index: number): RedisReply {
  const error = readField(state, index, 'err')
  if (error !== undefined) throw new RedisError(error)
  const status = readField(state, index, 'ok')
  if (status !== undefined) return status
  const items: RedisReply[] = []
  for (let position = 1; ; position++) {
    lua.lua_rawgeti(state, index, position)
    const ended = lua.lua_isnil(state, -1)
    if (!ended) items.push(toReply(state, lua.lua_gettop(state)))
    lua.lua_pop(state, 1)
    if (ended) return items
  }
}

function readField(state: LuaState, index: number, name: string): string | undefined {
  lua.lua_getfield(state, index, to_luastring(name))
  const text = lua.lua_isstring(state, -1) ? to_jsstring(lua.lua_tostring(state, -1)) : undefined
  lua.lua_pop(state, 1)
  return text
}
