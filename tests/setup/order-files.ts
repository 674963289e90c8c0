/** Test file, and the time that it takes. */
export interface TimedFile {
  readonly seconds: number
  /** True for a file that runs Chromium, which needs a core for most of the time. */
  readonly hasBrowser: boolean
}

/** Maximum number of files with a browser that run at the same time, assuming that the listed times are right. */
const MAX_BROWSERS = 2

/**
 * Returns files in the order in which `workers` workers start them: the slowest first, so that no worker waits for a
 * slow file at the end. Simulates the workers: while `MAX_BROWSERS` files with a browser run, chooses files without
 * one, because further browsers would only wait for each other.
 */
export function orderFiles<File extends TimedFile>(files: readonly File[], workers: number): readonly File[] {
  const slowestFirst = [...files].sort((a, b) => b.seconds - a.seconds)
  const waiting = {
    browser: slowestFirst.filter(({ hasBrowser }) => hasBrowser),
    other: slowestFirst.filter(({ hasBrowser }) => !hasBrowser),
  }
  const running: { readonly endsAt: number; readonly hasBrowser: boolean }[] = []
  const ordered: File[] = []
  let now = 0
  while (ordered.length < files.length) {
    if (running.length === workers) {
      running.sort((a, b) => b.endsAt - a.endsAt)
      now = running.pop()?.endsAt ?? now
    }
    const browsers = running.filter(({ hasBrowser }) => hasBrowser).length
    const [preferred, fallback] =
      browsers < MAX_BROWSERS ? [waiting.browser, waiting.other] : [waiting.other, waiting.browser]
    const file = preferred.shift() ?? fallback.shift()
    if (file === undefined) break
    ordered.push(file)
    running.push({ endsAt: now + file.seconds, hasBrowser: file.hasBrowser })
  }
  return ordered
}
