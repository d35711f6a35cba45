import { expect, it } from 'vitest'
import { networkOf } from './address.ts'

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['unknown', 'unknown'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::2', '2001:db8:0:0'],
  ['2001:db8::1:2:3:4', '2001:db8:0:0'],
  ['2001:0DB8:0000:0000:9:9:9:9', '2001:db8:0:0'],
  ['2001:db8:1::5:6:7:8', '2001:db8:1:0'],
  ['::1', '0:0:0:0'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
])('%s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
