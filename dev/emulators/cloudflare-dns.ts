import { Contract } from './contract.ts'
import type { Emulator } from './emulator.ts'

const CNAME = 5
const TYPES: Record<string, number> = { A: 1, AAAA: 28 }

/** The addresses of a name: those of a second and later look-up may be others. */
interface Name {
  A?: string[]
  AAAA?: string[]
  alias?: string
  later?: Name
}

const PUBLIC: Name = { A: ['93.184.215.14'], AAAA: ['2606:2800:21f:cb07:6820:80da:af6b:8b2c'] }
const PRIVATE: Name = { A: ['10.0.0.1'] }

/** What is known here, for trying targets of webhooks; no other name exists. */
const NAMES: Record<string, Name> = {
  'hooks.example.com': PUBLIC,
  // For faults that no other test is to meet.
  'late.example.com': PUBLIC,
  'alias.example.com': { ...PUBLIC, alias: 'hooks.example.com' },
  'private.example.com': PRIVATE,
  'private6.example.com': { AAAA: ['fd12:3456:789a::1'] },
  'mapped.example.com': { AAAA: ['::ffff:10.0.0.1'] },
  'mixed.example.com': { A: ['93.184.215.14', '169.254.169.254'] },
  'alias-private.example.com': { ...PRIVATE, alias: 'private.example.com' },
  'rebind.example.com': { ...PUBLIC, later: PRIVATE },
  'empty.example.com': {},
}

/** Cloudflare's resolver over HTTPS, with a few fixed names. */
export function createCloudflareDns(): Emulator {
  const contract = Contract.read(new URL('./contracts/cloudflare-dns.json', import.meta.url))
  const asked = new Map<string, number>()

  const find = (name: string, type: string): Name | undefined => {
    const found = NAMES[name]
    const times = (asked.get(`${type} ${name}`) ?? 0) + 1
    asked.set(`${type} ${name}`, times)
    return found?.later && times > 1 ? found.later : found
  }

  return {
    name: 'dns',
    hosts: contract.hosts,
    contract,
    refuse: (status, message) => new Response(message, { status }),
    async fetch(request) {
      const { searchParams } = new URL(request.url)
      const name = (searchParams.get('name') ?? '').toLowerCase().replace(/\.$/, '')
      const type = searchParams.get('type') ?? 'A'
      return answer(name, type, find(name, type))
    },
    async control(action, request) {
      if (action !== 'forget' || request.method !== 'POST')
        return Response.json({ message: 'expected POST forget' }, { status: 404 })
      asked.clear()
      return Response.json({ forgotten: true })
    },
  }
}

const NO_ERROR = 0
const NO_NAME = 3

function answer(name: string, type: string, found: Name | undefined): Response {
  const record = (kind: number, data: string) => ({ name, type: kind, TTL: 60, data })
  const addresses = (type === 'AAAA' ? found?.AAAA : found?.A) ?? []
  const records = [
    ...(found?.alias ? [record(CNAME, `${found.alias}.`)] : []),
    ...addresses.map(data => record(TYPES[type] ?? 0, data)),
  ]
  const body = {
    ...{ Status: found ? NO_ERROR : NO_NAME, TC: false, RD: true, RA: true, AD: false, CD: false },
    Question: [{ name, type: TYPES[type] ?? 0 }],
    ...(records.length > 0 ? { Answer: records } : {}),
  }
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/dns-json' } })
}
