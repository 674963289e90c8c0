import { setFlagsFromString } from 'node:v8'

/**
 * Makes V8 collect old objects when their total size has grown by half, instead of several times. V8 allocates the keys
 * of parsed JSON among the old objects. Without this limit, names invented by callers would occupy memory long after
 * they were dropped.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=50')
}

/**
 * Limits the heap of a proxy. Requests leave almost no garbage, so letting the young generation grow with the load
 * would save no time. A growing young generation would cost 30 to 60 MB of memory (docs/adr/0016) and never shrink
 * again. Call this before other code is loaded. Collections of the old generation still free the garbage of
 * compressors.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  limitHeapGrowth()
}
