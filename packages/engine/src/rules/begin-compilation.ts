import { parseAddress, parseIpv4 } from '@burgee/protocol/address'
import type { CompileOptions } from '../contract.ts'
import type { DocumentCompilation } from './compilation.ts'
import { ContextFields } from './request.ts'

/** Begins the compilation of a document: no context field is numbered yet, no regular expression compiled. */
export function beginCompilation({
  strategies = [],
  hostname,
  onError,
  ipv6Ranges = false,
}: CompileOptions): DocumentCompilation {
  const fail = (error: unknown, strategy: string) => {
    try {
      onError?.(error, strategy)
    } catch {
      // evaluation goes on, whatever the listener does
    }
  }
  const custom = new Map(strategies.map((strategy) => [strategy.name, strategy]))
  const readAddress = ipv6Ranges ? parseAddress : parseIpv4
  return {
    fields: new ContextFields(),
    patterns: new Map(),
    custom,
    hostname: hostname?.toLowerCase(),
    readAddress,
    fail,
  }
}
