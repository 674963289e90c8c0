import { setFlagsFromString } from 'node:v8'

/**
 * Makes V8 collect old objects once they have grown by half, instead of several times. Parsed JSON keys are allocated
 * as old objects. Without this, the names that callers invent fill memory long after they were dropped.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=50')
}

/**
 * Keeps the heap of a proxy small. A request leaves almost no garbage. A young generation that grows with the load
 * therefore gains no speed and costs 30 to 60 MB of memory (docs/adr/0016). It never shrinks again, so this runs before
 * code is loaded. Garbage of compressors is freed by collections of the old generation.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  limitHeapGrowth()
}
