import { beforeAll, describe, expect, it } from 'vitest'
import endpoints from './data/endpoints.json' with { type: 'json' }
import { platform } from './platform.ts'
import { FUNCTIONS, type Route, readRoutes } from './routes.ts'
import { BUILT, LINKED, OAUTH, OWN, PREFLIGHTS, PUBLIC, SIGNED, TOOL_SERVER } from './surface.ts'

const INTERFACE: string[] = Object.values(endpoints.groups).flat()
const pathOf = (name: string) => name.slice(name.indexOf(' ') + 1)

let routes: Route[] = []
let names: string[] = []

/** The next address that a request comes from: each has a rate limit of its own. */
let addresses = 0
async function call(method: string, path: string, body?: string) {
  const answer = await fetch(`${platform().url}${path}`, {
    method,
    headers: {
      'x-test-client': `198.51.100.${++addresses % 250}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text }
}

beforeAll(async () => {
  routes = await readRoutes()
  names = routes.map(route => route.name)
})

describe('wrangler.toml', () => {
  const others = FUNCTIONS.filter(({ key }) => key !== 'web')
  const fits = (pattern: string, path: string) =>
    pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern

  it('at most one function beside web has a path of the interface', () => {
    const torn = [...new Set(INTERFACE.map(pathOf))].flatMap(path => {
      const having = others.filter(({ paths }) => paths.some(pattern => fits(pattern, path)))
      return having.length > 1 ? [`${path}: ${having.map(({ key }) => key).join(' and ')}`] : []
    })
    expect(torn).toEqual([])
  })

  it('each route of a function is led to that function alone', () => {
    const astray = routes.flatMap(({ fn, path, name }) => {
      const having = others.filter(({ paths }) => paths.some(pattern => fits(pattern, path)))
      const expected = fn === 'web' ? [] : [fn]
      return JSON.stringify(having.map(({ key }) => key)) === JSON.stringify(expected) ? [] : [name]
    })
    expect(astray).toEqual([])
  })

  it('web has every path that is left', () => {
    expect(FUNCTIONS.find(({ key }) => key === 'web')?.paths).toEqual(['/*'])
  })
})

describe('the route tables', () => {
  it('have every documented endpoint of what is built', () => {
    const missing = INTERFACE.filter(e => BUILT.includes(pathOf(e)) && !names.includes(e))
    expect(missing).toEqual([])
    expect(BUILT.filter(path => !INTERFACE.some(e => pathOf(e) === path))).toEqual([])
  })

  it('have nothing that is in no list', () => {
    const beside = [...OWN, ...SIGNED, ...TOOL_SERVER, ...PREFLIGHTS.map(path => `OPTIONS ${path}`)]
    const listed = [...INTERFACE.filter(e => BUILT.includes(pathOf(e))), ...beside]
    const strangers = names.filter(name => !listed.includes(name))
    expect(strangers, 'to be entered in BUILT or OWN of test/surface.ts').toEqual([])
    expect(beside.filter(name => !names.includes(name))).toEqual([])
  })

  it('let in without credentials what is public, and nothing else', () => {
    const open = routes.filter(r => !r.isForMembers && INTERFACE.includes(r.name))
    const special = [...OAUTH, ...TOOL_SERVER, ...LINKED].filter(name => INTERFACE.includes(name))
    expect(open.map(r => r.name).toSorted()).toEqual([...PUBLIC, ...special].toSorted())
  })
})

describe('the running functions', () => {
  const concrete = (path: string) => path.replace(/:\w+(?:\{[^}]*\})?/g, 'nothing.css')

  it('401 on every route for members without credentials', async () => {
    const wrong: string[] = []
    for (const { name, method, path, body, isForMembers } of routes) {
      if (!isForMembers) continue
      const { status, text } = await call(method, path, body && '{}')
      if (status !== 401 || JSON.parse(text).error !== 'UNAUTHORIZED')
        wrong.push(`${name} ${status}`)
    }
    expect(wrong).toEqual([])
  })

  it.each(LINKED)('%s is 401 without a token and without credentials', async name => {
    for (const body of ['{}', '{"token": ""}', '[]', 'null']) {
      const { status, text } = await call(name.split(' ')[0]!, pathOf(name), body)
      expect([status, JSON.parse(text).error]).toEqual([401, 'UNAUTHORIZED'])
    }
  })

  it.each(PUBLIC)('%s answers without credentials', async name => {
    const { status } = await call(name.split(' ')[0]!, pathOf(name), '{}')
    expect(status).toBe(422)
  })

  it('405 with the methods that there are, for any other', async () => {
    const wrong: string[] = []
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
    for (const path of new Set(routes.map(r => r.path))) {
      const known = routes.filter(r => r.path === path).map(r => r.method)
      const expected = known.flatMap(m => (m === 'GET' ? ['GET', 'HEAD'] : [m])).toSorted()
      for (const method of methods.filter(m => !known.includes(m))) {
        const { status, headers, text } = await call(method, concrete(path))
        const isRight =
          status === 405 &&
          headers.get('allow') === expected.join(', ') &&
          JSON.parse(text).error === 'BAD_REQUEST'
        if (!isRight) wrong.push(`${method} ${path}: ${status}, Allow: ${headers.get('allow')}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('404 in words of its own for a path that nothing has', async () => {
    const unknown = [
      ...FUNCTIONS.flatMap(({ paths }) => paths.filter(p => p.endsWith('*')).slice(0, 1)).map(p =>
        p.replace(/\/\*$/, '/-/-/-/*').replace(/\*$/, '-nothing'),
      ),
      '/api/services/nothing',
      '/api',
      '/.env',
      '/api/services/services/',
    ]
    for (const path of unknown) {
      const { status, text } = await call('GET', path)
      expect({ path, code: status, ...JSON.parse(text) }).toEqual({
        path,
        code: 404,
        error: 'NOT_FOUND',
        message: 'No such route',
        status: 'error',
      })
    }
  })
})
