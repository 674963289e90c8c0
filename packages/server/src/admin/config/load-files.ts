import type { EventLoopBudget } from '@burgee/kit/event-loop-budget'
import type { ConfigChange, ConfigFile } from '@burgee/protocol/administration/config-plan'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { listArchivedNames } from '@burgee/storage/queries/transfer/config-reads'
import { ADMIN } from '../../core/access/rights/grants.ts'
import type { Actor } from '../../core/access/rights/rights.ts'
import { createToken, findToken, type NewToken } from '../../core/access/tokens/tokens.ts'
import type { Change } from '../../core/execute.ts'
import { SYSTEM } from '../../core/world.ts'
import { deleteFeatures } from '../flags/lifecycle.ts'
import { applyConfig } from './apply-config.ts'
import { ConfigMistakes } from './config-mistakes.ts'
import { type PlanOrder, planConfig } from './config-plan.ts'
import { toConfigChange } from './config-steps.ts'
import { createSurroundings, listSurroundings } from './file-surroundings.ts'
import { type ParsedFile, parseConfigFile } from './parse-config-file.ts'

/** Files of a project whose state the project gets, and tokens for the SDKs. */
export interface LoadOrder {
  readonly project: string
  readonly files: readonly ConfigFile[]
  readonly tokens: readonly (NewToken & { readonly secret: string })[]
  /** Budget for parsing the files. */
  readonly budget: EventLoopBudget
}

/** Actor of the plans: may do everything, as the developer who started the server. */
const DEVELOPER: Actor = {
  name: SYSTEM.name,
  userId: SYSTEM.userId,
  address: SYSTEM.address,
  grants: ADMIN,
  hidden: [],
}

/**
 * Brings a project to the state of its files, for a development server whose database has no other content. Creates the
 * project, and the environments, tag types and strategy types that the files name. Deletes flags that no file
 * describes, so that their names are free. Returns the changes. Throws ValidationError that lists the mistakes in the
 * files.
 */
export const loadFiles: Change<LoadOrder, readonly ConfigChange[]> = async (tx, load, context) => {
  const { project, files, tokens, budget } = load
  const parsed = new Map<string, ParsedFile>()
  const order: PlanOrder = {
    actor: DEVELOPER,
    project,
    files,
    prune: true,
    environment: undefined,
    parsed,
    budget,
  }
  const named = listSurroundings(await parseFiles(order))
  const environments = [...new Set([...named.environments, ...tokens.map(({ environment }) => environment)])]
  const events: NewEvent[] = await createSurroundings(tx, { ...named, project, environments }, context)
  for (const token of tokens) {
    if ((await findToken(tx, token.secret)) === undefined)
      events.push(...(await createToken(tx, token, context)).events)
  }
  const { hash, steps } = await planConfig(tx, order)
  const applied = await applyConfig(tx, { ...order, plan: hash, source: undefined }, context)
  const archived = await listArchivedNames(tx, project)
  const deleted = await deleteFeatures(tx, { project, features: archived }, context)
  events.push(...applied.events, ...deleted.events)
  return { result: steps.map(toConfigChange), events }
}

/** Parses files into the cache of an order. Throws ValidationError. */
async function parseFiles({ files, parsed, budget }: PlanOrder): Promise<ParsedFile['content'][]> {
  const mistakes = new ConfigMistakes()
  for (const file of files) {
    if (mistakes.isFull) break
    const content = await parseConfigFile(file, mistakes, budget)
    if (content !== undefined) parsed.set(`${file.path}\n${file.content}`, content)
  }
  await mistakes.require(budget)
  return [...parsed.values()].map(({ content }) => content)
}
