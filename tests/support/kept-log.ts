import type { Logger } from '@burgee/kit/log/logger'

/** Creates a logger that collects warnings and errors, one line each with the arguments appended. */
export function keptLog(): { readonly logger: Logger; readonly lines: string[] } {
  const lines: string[] = []
  const say = (message: string, ...args: readonly unknown[]) =>
    void lines.push([message, ...args.map(String)].join(' '))
  return { logger: { debug: () => {}, info: () => {}, warn: say, error: say, fatal: say }, lines }
}
