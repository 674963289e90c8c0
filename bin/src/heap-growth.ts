import { setFlagsFromString } from 'node:v8'

/**
 * Makes V8 collect old objects once their size has grown by half, instead of several times. V8 allocates the keys of
 * parsed JSON as old objects. Without this limit, the memory of names that callers invent stays occupied long after the
 * names were dropped.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=50')
}

/**
 * Limits the heap of a proxy. Requests leave almost no garbage, so a young generation that grows with the load saves no
 * time. A growing young generation would cost 30 to 60 MB of memory (docs/adr/0016) and never shrink again. Call this
 * before other code is loaded. Garbage of compressors is freed by collections of the old generation.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  limitHeapGrowth()
}
