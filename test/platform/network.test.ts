import { describe, expect, it } from 'vitest'
import { networkOf } from '../../src/platform/limits/network.ts'

describe('the network of an address', () => {
  it.each(['203.0.113.7', '::ffff:203.0.113.7', '::FFFF:CB00:7107', '0:0:0:0:0:ffff:203.0.113.7'])(
    'is the IPv4 address itself for %s',
    (address) => {
      expect(networkOf(address)).toBe('203.0.113.7')
    },
  )

  it('tells two IPv4 addresses apart', () => {
    expect(networkOf('203.0.113.7')).not.toBe(networkOf('203.0.113.8'))
  })

  it.each([
    '2001:db8::1',
    '2001:DB8::1',
    '2001:0db8:0000:0000:0000:0000:0000:0001',
    '2001:db8:0:0:ffff:ffff:ffff:ffff',
    '2001:db8:0::2:3',
    '2001:db8::',
    '2001:db8::1%eth0',
    '2001:db8::192.0.2.1',
  ])('is the /64 of the IPv6 address %s', (address) => {
    expect(networkOf(address)).toBe('2001:db8:0:0::/64')
  })

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::', '2001:db8:1:3::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::8', '1:0:0:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ])('is of %s %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  it.each([
    null,
    '',
    'unknown',
    '203.0.113',
    '203.0.113.256',
    '203.0.113.7:80',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '12345::',
    'g::',
    '1.2.3.4::',
  ])('is the same for everything that is not an address, such as %s', (address) => {
    expect(networkOf(address)).toBe('unknown')
  })
})
