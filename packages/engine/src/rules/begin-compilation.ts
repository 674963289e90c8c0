import { parseAddress, parseIpv4 } from '@burgee/protocol/address'
import type { CompileOptions } from '../contract.ts'
import type { SharedScope } from './compilation.ts'
import { Slots } from './request.ts'

/** A new scope, without a slot. */
export function scopeOf({ strategies = [], hostname, onError, ipv6Ranges = false }: CompileOptions): SharedScope {
  const fail = (error: unknown, strategy: string) => {
    try {
      onError?.(error, strategy)
    } catch {
      // evaluation goes on, whatever the listener does
    }
  }
  const custom = new Map(strategies.map((strategy) => [strategy.name, strategy]))
  const readAddress = ipv6Ranges ? parseAddress : parseIpv4
  return { slots: new Slots(), patterns: new Map(), custom, hostname: hostname?.toLowerCase(), readAddress, fail }
}
