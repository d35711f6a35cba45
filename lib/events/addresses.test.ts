import { describe, expect, it } from 'vitest'
import { isPublicAddress } from './addresses.ts'

const PUBLIC = [
  ...['1.1.1.1', '8.8.8.8', '93.184.215.14', '172.15.255.255', '172.32.0.0', '100.63.255.255'],
  ...['100.128.0.0', '169.253.0.1', '192.167.1.1', '198.17.0.1', '198.20.0.1', '223.255.255.255'],
  ...['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001:82a::200e', '2620:fe::fe'],
]
const CLOSED: Record<string, string[]> = {
  'this network': ['0.0.0.0', '0.1.2.3', '::'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  'link-local and metadata': ['169.254.0.1', '169.254.169.254', 'fe80::1', 'febf::1'],
  'shared by carriers': ['100.64.0.1', '100.127.255.255'],
  'unique local': ['fc00::1', 'fd12:3456:789a::1', 'fdff:ffff::', 'fec0::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  reserved: ['240.0.0.1', '255.255.255.255', '192.0.0.1', '4000::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.9', '2001:db8::1', '3fff::1'],
  benchmarks: ['198.18.0.1', '198.19.255.255'],
  'IPv4 within IPv6': [
    ...['::ffff:10.0.0.1', '::ffff:8.8.8.8', '::ffff:0a00:1', '::10.0.0.1'],
    ...['64:ff9b::10.0.0.1', '64:ff9b::808:808', '2002:0a00:0001::1', '2001:0:1::1'],
  ],
}

describe('isPublicAddress', () => {
  it.each(PUBLIC)('holds for %s', address => {
    expect(isPublicAddress(address)).toBe(true)
  })

  describe.each(Object.entries(CLOSED))('does not hold for %s', (_, addresses) => {
    it.each(addresses)('%s', address => {
      expect(isPublicAddress(address)).toBe(false)
    })
  })

  it.each([
    ...[
      '',
      'example.com',
      '1.2.3',
      '1.2.3.4.5',
      '256.1.1.1',
      '0x7f.0.0.1',
      '2130706433',
      '1.1.1.1 ',
    ],
    ...[
      ':::',
      '1::2::3',
      '2001:4860',
      '2001:4860:4860:0:0:0:0:0:8888',
      '2606:4700::g',
      '[2620:fe::fe]',
    ],
    ...['2606:4700::1.2.3.256', '1.2.3.4::', 'fe80::1%eth0', '2001:48605::'],
  ])('does not hold for %j, which is no address', text => {
    expect(isPublicAddress(text)).toBe(false)
  })
})
