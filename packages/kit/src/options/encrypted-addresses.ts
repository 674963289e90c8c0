const ENCRYPTED: ReadonlySet<string> = new Set(['https:', 'rediss:'])
/** Hosts on this machine, with which connections cross no network. */
const THIS_MACHINE = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i

/** Returns true if connections to an address are encrypted with TLS or do not leave this machine. */
export function isEncryptedAddress(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return ENCRYPTED.has(protocol) || isThisMachine(hostname)
}

/** Returns true for a host name or address of this machine, with or without brackets around it. */
export function isThisMachine(host: string): boolean {
  return THIS_MACHINE.test(host)
}
