/**
 * The bucket, 1 to 100, that a rollout puts an id into: murmur3 (x86, 32 bit, seed 0) of `group:id`, as every SDK
 * computes it; a character counts by its lowest byte. A test holds it to the evaluator.
 */
export function bucketOf(groupId: string, id: string): number {
  const text = `${groupId}:${id}`
  let state = 0
  let block = 0
  for (let i = 0; i < text.length; i++) {
    block |= (text.charCodeAt(i) & 0xff) << (8 * (i & 3))
    if ((i & 3) === 3) {
      state = (Math.imul(rotate(state ^ mix(block), 13), 5) + 0xe6546b64) | 0
      block = 0
    }
  }
  if (text.length % 4 !== 0) state ^= mix(block)
  return (finish(state ^ text.length) % 100) + 1
}

const rotate = (bits: number, by: number): number => (bits << by) | (bits >>> (32 - by))

const mix = (block: number): number => Math.imul(rotate(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593)

function finish(state: number): number {
  let hash = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
