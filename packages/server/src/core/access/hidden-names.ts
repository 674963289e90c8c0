import { isContent } from '@burgee/kit/http/content'
import { Reply, type Route } from '@burgee/kit/http/route'
import { StreamReply } from '@burgee/kit/streams/outlet'
import { Problem } from '@burgee/protocol/problem'
import { newUuid, type World } from '../world.ts'

/** Path parameter whose value names an object that is hidden from the caller. */
export interface HiddenName {
  readonly parameter: string
  readonly name: string
  /** Random name that no object has. The handler receives this name in place of the hidden name. */
  readonly alias: string
}

/** Creates the `HiddenName` for a path parameter, with a random alias. */
export function hiddenName(random: World['random'], parameter: string, name: string): HiddenName {
  return { parameter, name, alias: `hidden-${newUuid(random)}` }
}

/**
 * Wraps a route so that it treats hidden names in its path like names that do not exist. The handler receives aliases
 * in place of hidden names, and the aliases in the reply or error are replaced by the names that the caller sent. No
 * handler can therefore reveal that a hidden object exists.
 */
export function withHiddenNames<Access extends { readonly hiddenNames: readonly HiddenName[] }, RouteWorld>(
  route: Route<Access, RouteWorld>,
): Route<Access, RouteWorld> {
  if (!route.url.includes(':')) return route
  const { handle } = route
  return {
    ...route,
    handle: (input, world) => {
      const { hiddenNames } = input.access
      if (hiddenNames.length === 0) return handle(input, world)
      const aliases = Object.fromEntries(hiddenNames.map(({ parameter, alias }) => [parameter, alias]))
      const params = { ...(input.params as Readonly<Record<string, unknown>>), ...aliases }
      return asSent(hiddenNames, () => handle({ ...input, params: params as never }, world))
    },
  }
}

/** Runs a handler, and replaces the aliases in its result or error with the names that the caller sent. */
async function asSent(names: readonly HiddenName[], work: () => unknown): Promise<unknown> {
  const restored = (text: string) => names.reduce((rest, { name, alias }) => rest.replaceAll(alias, name), text)
  const inJson = (text: string) =>
    names.reduce((rest, { name, alias }) => rest.replaceAll(alias, JSON.stringify(name).slice(1, -1)), text)
  const restoredJson = <T>(value: T): T => JSON.parse(inJson(JSON.stringify(value)))
  try {
    const result = await work()
    if (result instanceof Reply) return restoredReply(result, restored)
    return result === undefined ? undefined : restoredJson(result)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { name, message, details, extra, headers, cause } = error
    throw new Problem(name, restored(message), {
      ...(details === undefined ? {} : { details: restoredJson(details) }),
      extra: restoredJson(extra),
      headers,
      cause,
    })
  }
}

function restoredReply(reply: Reply, restored: (text: string) => string): Reply {
  const { status, body, headers } = reply
  if (body === undefined || reply instanceof StreamReply) return reply
  const bytes = isContent(body) ? body.bytes() : body
  return new Reply(status, restored(bytes.toString()), headers)
}
