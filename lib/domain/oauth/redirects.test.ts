import { describe, expect, it } from 'vitest'
import { isRegistered, placeOf, redirectFault, withAnswer } from './redirects.ts'

describe('an address that clients are led back to', () => {
  it.each([
    'https://claude.ai/api/mcp/auth_callback',
    'https://claude.com/api/mcp/auth_callback',
    'http://localhost:33418/callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'https://www.cursor.com/agents/mcp/oauth/callback',
    'http://localhost:8787/callback',
    'https://vscode.dev/redirect',
    'http://127.0.0.1/',
    'http://127.0.0.1:33418/',
    'http://localhost:6274/oauth/callback',
    'http://[::1]:5000/cb',
    'com.example.app:/oauth2redirect',
    'https://app.example:8443/back?tenant=7',
    'https://xn--bcher-kva.example/cb',
  ])('%s can be registered', uri => {
    expect(redirectFault(uri)).toBeUndefined()
  })

  it.each([
    'javascript:alert(1)',
    'javascript://%0aalert(1)',
    'JavaScript:/x',
    'data:text/html,x',
    'data:/x',
    'file:///etc/passwd',
    'intent://x#Intent;end',
    'vbscript:/x',
    'blob:https://x.example/1',
    'http://app.example/cb',
    'http://localhost.evil.example/cb',
    'http://127.0.0.1.evil.example/',
    'http://127.0.0.1@evil.example/',
    'http://localhost:80@evil.example/',
    'https://user:secret@app.example/',
    'https://app.example/cb#fragment',
    'https://*.example/cb',
    'https://',
    'https:///cb',
    '//app.example/cb',
    '/callback',
    'callback',
    '',
    'https://app.example/a b',
    'https://app.example/\n',
    'https://app.example\\@evil.example/',
    'https://app.example/"><script>',
    'mailto:ann@example.org',
    `https://app.example/${'x'.repeat(2000)}`,
  ])('%s cannot', uri => {
    expect(redirectFault(uri)).toEqual(expect.any(String))
  })

  it('is one that was registered, byte for byte', () => {
    const known = ['https://app.example/cb', 'http://127.0.0.1:3999/cb']
    expect(known.map(uri => isRegistered(uri, known, false))).toEqual([true, true])
    for (const uri of [
      'https://app.example/cb/',
      'https://app.example/cb?x=1',
      'https://APP.example/cb',
      'https://app.example:443/cb',
      'http://127.0.0.1:4000/cb',
    ])
      expect(isRegistered(uri, known, false)).toBe(false)
  })

  it('may have any port on the machine itself, where that is allowed, and nothing else', () => {
    const known = ['http://127.0.0.1/', 'http://localhost:33418/cb?x=1', 'https://app.example:1/cb']
    for (const uri of [
      'http://127.0.0.1:5000/',
      'http://localhost:5000/cb?x=1',
      'http://localhost/cb?x=1',
    ])
      expect(isRegistered(uri, known, true)).toBe(true)
    for (const uri of [
      'http://localhost:5000/',
      'http://127.0.0.1:5000/other',
      'http://127.0.0.1:5000@evil.example/',
      'http://127.0.0.1:5000.evil.example/',
      'https://127.0.0.1:5000/',
      'https://app.example:2/cb',
      'http://127.0.0.1:65536/',
      'http://127.0.0.1:99999/',
    ])
      expect(isRegistered(uri, known, true)).toBe(false)
  })
})

it('an answer is added to the query that is there', () => {
  const answer = { code: 'a b', state: undefined }
  expect(withAnswer('https://a.example/cb', answer)).toBe('https://a.example/cb?code=a+b')
  expect(withAnswer('https://a.example/cb?x=1', answer)).toBe('https://a.example/cb?x=1&code=a+b')
  expect(withAnswer('com.a:/cb', answer)).toBe('com.a:/cb?code=a+b')
})

it('users are shown the host, or the scheme of a program', () => {
  expect(placeOf('https://app.example:8443/cb')).toBe('app.example:8443')
  expect(placeOf('cursor://anysphere.cursor-mcp/oauth')).toBe('cursor://')
})
