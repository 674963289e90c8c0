/** Value to which Kubernetes sets `<NAME>_PORT` in every pod for a Service with that name in the same namespace. */
const LINK = /^(tcp|udp|sctp):\/\/\S+:\d+$/i

/**
 * Returns true for a variable such as `REDIS_PORT=tcp://10.0.0.11:6379`. Kubernetes sets it for a Service named
 * `redis`, so the user has not chosen it.
 */
export function isServiceLink(variable: string, value: string): boolean {
  return /(^|_)PORT$/.test(variable) && LINK.test(value.trim())
}

/** Returns a warning about service links among the variables of a table; undefined if there are none. */
export function describeServiceLinks(
  table: Readonly<Record<string, { readonly doc: string; readonly env?: readonly string[] }>>,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const variables = Object.values(table).flatMap((row) => row.env ?? [])
  const links = [...new Set(variables)].filter((variable) => isServiceLink(variable, env[variable] ?? ''))
  if (links.length === 0) return undefined
  const names = links.join(', ')
  return `Ignoring ${names}: Kubernetes sets tcp://host:port there for a Service of that name. Set enableServiceLinks: false in the pod, or rename the Service`
}
