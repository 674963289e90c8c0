import type { DescribedObjects } from './plan-prune.ts'
import type { Planning } from './plan-shared.ts'

/** Adds mistakes for parents that do not exist after the plan, or that have a parent themselves. */
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
    const property = ['dependencies', 0, 'feature']
    if (parent === name) mistakes.add(file, property, 'A flag cannot depend on itself.')
    else if (!exists(parent))
      mistakes.add(file, property, `There is no flag "${parent}" in the project, or it is pruned.`)
    else if (getParent(parent) !== undefined) mistakes.add(file, property, `The flag "${parent}" has a parent itself.`)
  }
  if (!prune) return
  // children whose file is as stored, but whose parent no file describes
  for (const { row, parents } of config.flags.values()) {
    const parent = parents[0]?.parent
    if (parent === undefined || flags.has(parent) || !flags.has(row.name) || changedFlags.has(row.name)) continue
    const place = { path: row.name, getLine: () => 1 }
    mistakes.add(place, ['dependencies', 0, 'feature'], `The flag "${parent}" is pruned, because no file describes it.`)
  }
}
