import type { OptionTable } from '@burgee/kit/options/options'

const PREFIX = 'UNLEASH_'
/**
 * Variables that are never read with the prefix. Kubernetes sets UNLEASH_PORT to a URL if a service is called
 * "unleash".
 */
const NEVER = new Set(['UNLEASH_PORT'])

/**
 * Returns the option table with a second name for each variable: its name with Unleash's prefix. If both names are set,
 * the name without the prefix takes precedence.
 */
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
