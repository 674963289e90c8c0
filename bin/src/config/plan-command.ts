import type { CommandOutput } from '../running.ts'
import { fetchPlan } from './config-client.ts'
import { PLAN_OPTIONS } from './config-options.ts'
import { listProjects, parseFolderOptions, readBody } from './config-projects.ts'
import { formatPlans, type ProjectPlan } from './plan-text.ts'

/** Exit code if there are changes. */
const CHANGES = 2

/**
 * Runs `burgee plan [DIR]`: prints the changes that bring projects to the state of files. Returns code 0 if there are
 * no changes and 2 if there are some.
 */
export async function runPlan(argv: readonly string[]): Promise<CommandOutput> {
  const { folder, options } = parseFolderOptions(PLAN_OPTIONS, argv)
  const plans: ProjectPlan[] = []
  for (const place of listProjects(folder, options.project)) {
    plans.push({ project: place.project, ...(await fetchPlan(options, place, readBody(place, options))) })
  }
  const hashes = plans.map(({ plan }) => plan).join(',')
  const more = [
    ...(options.prune ? [' --prune'] : []),
    ...(options.environment === undefined ? [] : [` --environment ${options.environment}`]),
  ]
  const hint = `burgee apply ${folder} --project ${options.project.join(',')} --plan ${hashes}${more.join('')}`
  const code = plans.some(({ changes }) => changes.length > 0) ? CHANGES : 0
  return { code, text: formatPlans(plans, options.format, hint) }
}
