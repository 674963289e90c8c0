import { Problem, type ProblemDetail } from '@burgee/protocol/problem'

/** Part of a document to which a problem refers. */
export interface DocumentPart {
  readonly flag?: string | undefined
  readonly environment?: string | undefined
  /** Strategy type, and its position (starting at 1) among the flag's strategies in the document. */
  readonly strategy?: { readonly name: string; readonly place: number } | undefined
  readonly segment?: string | undefined
  /** JSON pointer into the request, such as `body/featureStrategies`. */
  readonly path: string
}

/** Maximum number of problems in one response. */
const MAX_PROBLEMS = 100

/** Collects the problems of an import, each with its part of the document, so that one response lists all problems. */
export class ImportProblems {
  readonly #details: ProblemDetail[] = []
  #first: Problem | undefined

  /** Runs a part of the import. Returns undefined and records the problem if this part of the import fails. */
  async collect<T>(part: DocumentPart, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Problem)) {
        // once a statement has failed, the database rejects all later ones too
        if (this.#first !== undefined) this.require()
        throw error
      }
      this.#first ??= error
      for (const reason of getReasons(error)) this.add(part, reason)
      return undefined
    }
  }

  /** Adds a problem that concerns the document itself. */
  add(part: DocumentPart, message: string): void {
    this.#details.push({ message: `${describe(part)}${message}`, path: part.path })
  }

  /**
   * Throws the problems, if there are any: a single problem with its own status, several problems as one
   * ValidationError.
   */
  require(): void {
    const [first] = this.#details
    if (first === undefined) return
    const isOnlyOne = this.#details.length === 1
    const name = isOnlyOne && this.#first !== undefined ? this.#first.name : 'ValidationError'
    throw new Problem(name, first.message, { details: this.#details.slice(0, MAX_PROBLEMS) })
  }
}

function getReasons({ message, details = [] }: Problem): readonly string[] {
  return details.length > 0 ? details.map((detail) => detail.message) : [message]
}

function describe({ flag, environment, strategy, segment }: DocumentPart): string {
  const names = [
    segment === undefined ? [] : [`segment "${segment}"`],
    flag === undefined ? [] : [`flag "${flag}"`],
    environment === undefined ? [] : [`environment "${environment}"`],
    strategy === undefined ? [] : [`strategy ${strategy.place} "${strategy.name}"`],
  ].flat()
  return names.length === 0 ? '' : `${names.join(', ')}: `
}
