import { type Caller, type PreRequestHook, Reply } from '@burgee/kit/http/route'
import { matchesHost } from '../options/host-patterns.ts'

/**
 * Adds a check to a pre-request hook: answers 403 unless the request was sent to one of the hosts and, if a page sent
 * it, by a page of one of the hosts. The check on the request's host stops a page whose name resolves to this machine
 * (DNS rebinding).
 *
 * @param hosts host names and patterns, in the form that `hostPatterns` returns
 */
export function withPageHosts(hosts: readonly string[], next: PreRequestHook): PreRequestHook {
  return (caller) => {
    const other = findOtherHost(caller, hosts)
    return other === undefined ? next(caller) : createRefusal(other)
  }
}

/** Returns a description of the host that is not allowed; undefined if all hosts of the request are allowed. */
function findOtherHost({ headers: { host, origin } }: Caller, hosts: readonly string[]): string | undefined {
  if (host !== undefined && !isAllowed(`http://${host}`, hosts)) return `the host ${host}`
  if (origin !== undefined && !isAllowed(origin, hosts)) return `pages of ${origin}`
  return undefined
}

function isAllowed(address: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(address)) return false
  const { hostname } = new URL(address)
  return hosts.some((pattern) => matchesHost(hostname, pattern))
}

function createRefusal(other: string): Reply {
  const message = `This server does not accept requests to or from ${other}. To accept them, start it with --allow-host.`
  return Reply.json(403, { name: 'NoAccessError', message, details: [{ message }] })
}
