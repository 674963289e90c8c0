import type { ConfigChange, ConfigMistake } from '@burgee/protocol/administration/config-plan'
import { Problem } from '@burgee/protocol/problem'
import type { BurgeeServer } from '@burgee/server'
import type { ConfigProject } from '../config/config-client.ts'
import { readConfigFolder } from '../config/config-folder.ts'
import { formatMistake } from '../config/mistake-text.ts'
import { print } from '../output.ts'

/** Secrets of the tokens for SDKs. */
export interface SdkTokens {
  readonly client: string
  readonly frontend: string
}

/** Environment that SDKs use, and their tokens. */
interface SdkAccess {
  readonly environment: string
  readonly tokens: SdkTokens
}

/** Maximum number of changes that a reload prints. */
const MAX_PRINTED = 20

/** Loads the files of projects into a development server. */
export class FileLoader {
  readonly #server: Pick<BurgeeServer, 'loadFiles'>
  readonly #places: readonly ConfigProject[]
  readonly #access: SdkAccess

  constructor(server: Pick<BurgeeServer, 'loadFiles'>, places: readonly ConfigProject[], access: SdkAccess) {
    this.#server = server
    this.#places = places
    this.#access = access
  }

  /** Loads all projects. Throws an Error that lists mistakes with their lines. */
  async loadAll(): Promise<void> {
    for (const place of this.#places) await this.#load(place)
  }

  /**
   * Loads all projects and prints the changes. Prints the mistake in a project's files; the project then keeps its
   * flags. A project that fails is loaded again after all other projects, because a flag may have moved from one
   * project to another. Never rejects.
   */
  async reload(): Promise<void> {
    const failed: ConfigProject[] = []
    for (const place of this.#places) {
      if ((await this.#try(place)) !== undefined) failed.push(place)
    }
    for (const place of failed) {
      const error = await this.#try(place)
      if (error !== undefined) print(`${error.message}\nThe previous flags stay in use.`, process.stderr)
    }
  }

  /** Loads a project and prints its changes. Returns the error. */
  async #try(place: ConfigProject): Promise<Error | undefined> {
    try {
      const changes = await this.#load(place)
      if (changes.length > 0) print(formatChanges(place, changes))
      return undefined
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  async #load(place: ConfigProject): Promise<readonly ConfigChange[]> {
    const { environment, tokens } = this.#access
    const shared = { name: 'dev', environment, projects: ['*'], expiresAt: null }
    try {
      return await this.#server.loadFiles({
        project: place.project,
        files: readConfigFolder(place.folder),
        tokens: [
          { ...shared, type: 'client', secret: tokens.client },
          { ...shared, type: 'frontend', secret: tokens.frontend },
        ],
      })
    } catch (error) {
      const { mistakes } = (error instanceof Problem ? (error.extra ?? {}) : {}) as { mistakes?: ConfigMistake[] }
      if (mistakes === undefined) throw error
      throw new Error(mistakes.map((one) => formatMistake(place.folder, one)).join('\n'), { cause: error })
    }
  }
}

function formatChanges({ project }: ConfigProject, changes: readonly ConfigChange[]): string {
  const shown = changes.slice(0, MAX_PRINTED).map(({ name, sentence }) => `  ${name}: ${sentence}`)
  const rest = changes.length - shown.length
  return [
    `Project ${project}: ${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`,
    ...shown,
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ].join('\n')
}
