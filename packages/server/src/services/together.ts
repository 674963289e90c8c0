/**
 * Waits for what was asked at once: one way to the database and back for all of it. Where several are refused, throws what
 * the first of the list threw, as if each had been asked after the one before.
 */
export async function together<const T extends readonly unknown[]>(
  asked: {
    readonly [Key in keyof T]: Promise<T[Key]>
  },
): Promise<T> {
  const ends = await Promise.allSettled(asked)
  const refused = ends.find(({ status }) => status === 'rejected')
  if (refused?.status === 'rejected') throw refused.reason
  return ends.map((end) => (end.status === 'fulfilled' ? end.value : undefined)) as unknown as T
}
