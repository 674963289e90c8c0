import { NO_HEADERS } from '@burgee/kit/http/header-block'
import { type Caller, type First, Reply } from '@burgee/kit/http/route'

/** Headers by name. */
type Headers = Readonly<Record<string, string>>

const API = /^\/+(api|edge|ofrep|openfeature)(\/|\?|$)/i

/**
 * `Cache-Control` of a reply that is for its caller alone and is asked for again each time, which the ETag makes cheap.
 * Shared caches, of which some would keep a reply that says nothing for a day, do not store it.
 */
export const FOR_CALLER_ALONE = 'private, no-cache'

/** Browsers take a reply for no other type than it says. */
export const NO_SNIFFING: Headers = { 'x-content-type-options': 'nosniff' }

/**
 * Headers of every reply for its caller alone. One object for all: what follows from headers is remembered by the object
 * that holds them.
 */
export const CALLER_ALONE: Headers = { 'cache-control': FOR_CALLER_ALONE, ...NO_SNIFFING }

/** Returns true for paths below which SDKs and programs get replies that depend on their token. */
export function isApiPath(path: string): boolean {
  return API.test(path)
}

/** Adds `Cache-Control` to every reply whose route does not say its own, and `nosniff` to all. */
export function forCallerAlone(next: First): First {
  return withRules(() => CALLER_ALONE, next)
}

/** Says all of `rules`, and what `next` says. For equal objects of both the result is the same object each time. */
export function withRules(rules: (caller: Caller) => Headers, next: First): First {
  const merged = new WeakMap<Headers, WeakMap<Headers, Headers>>()
  return (caller) => {
    const answer = next(caller)
    if (answer instanceof Reply) return answer
    const rule = rules(caller)
    if (answer === NO_HEADERS) return rule
    let behind = merged.get(rule)
    if (behind === undefined) {
      behind = new WeakMap()
      merged.set(rule, behind)
    }
    const known = behind.get(answer) ?? { ...rule, ...answer }
    behind.set(answer, known)
    return known
  }
}
