import type { OptionTable } from '@burgee/kit/options/options'

const PREFIX = 'UNLEASH_'
/** Kubernetes itself sets UNLEASH_PORT, to an address, where a service has that name. */
const NEVER = new Set(['UNLEASH_PORT'])

/** The table with every variable also under the established server's prefix, after all that have none. */
export function withVendorPrefix<T extends OptionTable>(table: T): T {
  const rows = Object.entries(table).map(([name, row]) => {
    const plain = row.env ?? []
    const prefixed = plain
      .filter((variable) => !variable.startsWith(PREFIX))
      .map((variable) => `${PREFIX}${variable}`)
      .filter((variable) => !NEVER.has(variable))
    return [name, { ...row, env: [...new Set([...plain, ...prefixed])] }]
  })
  return Object.fromEntries(rows) as T
}
