const POLL_MS = 10
const LIMIT_MS = 15_000

/**
 * Polls until `ask` returns neither undefined nor false. After the limit (15 s by default), rejects with the last
 * error.
 */
export async function until<T>(ask: () => T | Promise<T>, limitMs: number = LIMIT_MS): Promise<NonNullable<T>> {
  const end = performance.now() + limitMs
  let last: unknown
  for (;;) {
    try {
      const answer = await ask()
      if (answer !== undefined && answer !== false && answer !== null) return answer as NonNullable<T>
    } catch (error) {
      last = error
    }
    if (performance.now() > end) throw last ?? new Error('It did not become true in time')
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
