import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { orderFiles } from './order-files.ts'
import listedSeconds from './slow-files.json' with { type: 'json' }

/** Estimated time of files that are not in the list, because they are faster than all listed files. */
const UNLISTED_SECONDS = 4
const WITH_BROWSER = /^tests\/(?:ui|official-ui|docs\/site|(?:e2e|edge\/processes)\/[a-z-]*browser)\b/
const SECONDS: Readonly<Record<string, number>> = listedSeconds

/**
 * Starts the slowest files of each project first, according to `slow-files.json`, because a fresh clone has no times of
 * earlier runs.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project)
    return [...byProject].flatMap(([{ config }, specifications]) => {
      const timed = specifications.map((specification) => {
        const path = relative(this.ctx.config.root, specification.moduleId)
        return { specification, seconds: SECONDS[path] ?? UNLISTED_SECONDS, hasBrowser: WITH_BROWSER.test(path) }
      })
      return orderFiles(timed, config.maxWorkers).map(({ specification }) => specification)
    })
  }
}
