/**
 * Waits for promises that were created together, so that their queries need only one round trip. If several promises
 * reject, throws the error of the first promise in the list, as if the calls had run one after the other.
 */
export async function inOneRoundTrip<const T extends readonly unknown[]>(
  requested: {
    readonly [Key in keyof T]: Promise<T[Key]>
  },
): Promise<T> {
  const ends = await Promise.allSettled(requested)
  const refused = ends.find(({ status }) => status === 'rejected')
  if (refused?.status === 'rejected') throw refused.reason
  return ends.map((end) => (end.status === 'fulfilled' ? end.value : undefined)) as unknown as T
}
