import { fixedPlace } from './config-mistakes.ts'
import type { DescribedObjects } from './plan-prune.ts'
import type { Planning } from './plan-shared.ts'

const PARENT = ['dependencies', 0, 'feature']

/**
 * Adds a mistake for each parent that would not exist after the plan, or that would itself have a parent. Checks
 * changed flags, and also unchanged flags whose parent changes or is pruned.
 */
export function checkParents({ config, mistakes }: Planning, described: DescribedObjects, prune: boolean): void {
  const { flags, changedFlags } = described
  const exists = (name: string) => flags.has(name) || (!prune && config.flags.has(name))
  const getParent = (name: string) => {
    const file = changedFlags.get(name)
    return file === undefined ? config.flags.get(name)?.parents[0]?.parent : file.content.dependencies?.[0]?.feature
  }
  for (const [name, file] of changedFlags) {
    const parent = file.content.dependencies?.[0]?.feature
    if (parent === undefined) continue
    if (parent === name) mistakes.add(file, PARENT, 'A flag cannot depend on itself.')
    else if (!exists(parent))
      mistakes.add(file, PARENT, `There is no flag "${parent}" in the project, or it is pruned.`)
    else if (getParent(parent) !== undefined) mistakes.add(file, PARENT, `The flag "${parent}" has a parent itself.`)
  }
  for (const { row, parents } of config.flags.values()) {
    const [first] = parents
    if (first === undefined || changedFlags.has(row.name) || !exists(row.name)) continue
    const { parent } = first
    const changed = changedFlags.get(parent)
    if (!exists(parent)) {
      const place = fixedPlace(flags.get(row.name) ?? row.name, 1)
      mistakes.add(place, PARENT, `The flag "${parent}" is pruned, because no file describes it.`)
    } else if (changed !== undefined && getParent(parent) !== undefined) {
      mistakes.add(changed, PARENT, `The flag is the parent of "${row.name}", so it cannot have a parent itself.`)
    }
  }
}
