import { describe, expect, it } from 'vitest'
import { type Dns, DnsError } from '#lib/providers/dns/port.ts'
import { targetFault } from './target.ts'

const known: Record<string, string[]> = {
  'hooks.example.com': ['93.184.215.14', '2606:2800:21f::1'],
  'private.example.com': ['10.0.0.1'],
  'mixed.example.com': ['93.184.215.14', '127.0.0.1'],
}
const asked: string[] = []
const dns: Dns = {
  addresses: async host => {
    asked.push(host)
    if (host === 'silent.example.com') throw new DnsError('no answer')
    return known[host] ?? []
  },
}
const fault = (url: string, allowLoopback = false) => targetFault(url, { dns, allowLoopback })

describe('targetFault', () => {
  it.each([
    'https://hooks.example.com',
    'https://hooks.example.com:443/a?b=c#d',
    'https://hooks.example.com:8443/',
    'https://HOOKS.example.com./x',
  ])('lets %s be a target', async url => {
    expect(await fault(url)).toBeUndefined()
  })

  it.each([
    ['http://hooks.example.com', 'must begin with https://'],
    ['ftp://hooks.example.com', 'must begin with https://'],
    ['https://hooks.example.com:22', 'must use port 443 or 8443'],
    ['https://hooks.example.com:80', 'must use port 443 or 8443'],
    ['https://ann@hooks.example.com', 'must not contain a user name or password'],
    ['https://:secret@hooks.example.com', 'must not contain a user name or password'],
    ['not a URL', 'expected an https URL'],
    ['https://private.example.com', 'leads to 10.0.0.1'],
    ['https://mixed.example.com', 'leads to 127.0.0.1'],
    ['https://nowhere.example.com', 'has no address'],
    ['https://silent.example.com', 'could not be looked up'],
  ])('says of %s: %s', async (url, words) => {
    expect(await fault(url)).toContain(words)
  })

  it.each([
    ...['https://127.0.0.1', 'https://10.0.0.1', 'https://169.254.169.254', 'https://8.8.8.8'],
    ...['https://2130706433', 'https://0x7f000001', 'https://0177.0.0.1', 'https://127.1'],
    ...['https://0x7f.0.0x1', 'https://[::1]', 'https://[::ffff:127.0.0.1]', 'https://[fd00::1]'],
    ...['https://１２７.0.0.1', 'https://127.0.0.1.', 'https://[2606:4700::1111]'],
  ])('refuses the IP address %s without asking anybody', async url => {
    const before = asked.length
    expect(await fault(url)).toContain('not give an IP address')
    expect(asked).toHaveLength(before)
  })

  it.each([
    ...['localhost', 'a.localhost', 'printer.local', 'metadata.google.internal', 'router'],
    ...['1.0.0.127.in-addr.arpa', 'nas.lan', 'localhost.'],
  ])('refuses the inner name %s without asking anybody', async host => {
    const before = asked.length
    expect(await fault(`https://${host}/`)).toContain('must be a public host')
    expect(asked).toHaveLength(before)
  })

  it('lets loopback be a target of the local platform alone, by any port', async () => {
    for (const url of ['http://127.0.0.1:4000/x', 'http://localhost:80', 'https://[::1]:5']) {
      expect(await fault(url, true)).toBeUndefined()
      expect(await fault(url)).toBeDefined()
    }
    expect(await fault('http://10.0.0.1', true)).toBeDefined()
    expect(await fault('http://127.0.0.2', true)).toBeDefined()
    expect(await fault('http://ann@localhost', true)).toBeDefined()
    expect(await fault('ftp://localhost', true)).toBeDefined()
    expect(await fault('http://localhost.example.com', true)).toBeDefined()
  })
})
