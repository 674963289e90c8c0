import { expect, test } from 'vitest'
import { toNetwork } from './client-network.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:2::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['1:2:3:4:5::8', '1:2:3:4::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  // one IPv4 address in all of its notations
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
  ['0::ffff:192.0.2.1', '192.0.2.1'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['nonsense', 'nonsense'],
  ['', ''],
])('the network of %j is %j', (address, network) => expect(toNetwork(address)).toBe(network))
