import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { askChild, pinnedTo } from '../measured-process.ts'
import type { Slice, SliceResult } from './scene.ts'

/** Load generator. */
export interface Generator {
  readonly play: (slice: Slice) => Promise<SliceResult>
  readonly stop: () => void
}

/** Starts the load generator, on the second core by default. */
export function startGenerator(pin: readonly string[] = pinnedTo(1)): Generator {
  const [command, ...args] = [...pin, process.execPath]
  const child = fork(fileURLToPath(new URL('generator.ts', import.meta.url)), {
    execPath: command ?? process.execPath,
    execArgv: [...args, '--conditions=source'],
  })
  return {
    play: async (slice) => {
      const result = (await askChild(child, slice)) as SliceResult | { readonly failed: string }
      if ('failed' in result) throw new Error(`The generator failed: ${result.failed}`)
      return result
    },
    stop: () => child.kill(),
  }
}
