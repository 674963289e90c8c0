import type { EventLoopBudget } from '@burgee/kit/event-loop-budget'
import type { ConfigMistake } from '@burgee/protocol/administration/config-plan'
import { Problem } from '@burgee/protocol/problem'

/** Maximum number of mistakes in one error. */
const MAX_MISTAKES = 50
/** Maximum length of the property and of the message in a mistake, because both can quote text from the file. */
const MAX_TEXT_LENGTH = 500

/** Keys and indexes on the way to a property in a file. */
export type PropertyPath = readonly (string | number)[]

/** Location of a mistake: the file, and a function that finds its lines. */
export interface MistakePlace {
  readonly path: string
  /**
   * Returns the line numbers of properties, starting at 1. Can be slow, so it is called once per file with mistakes.
   */
  readonly findLines: (
    properties: readonly PropertyPath[],
    budget: EventLoopBudget,
  ) => Promise<readonly number[]> | readonly number[]
}

/** Returns the location of a mistake whose line is already known. */
export function fixedPlace(path: string, line: number): MistakePlace {
  return { path, findLines: (properties) => properties.map(() => line) }
}

interface FoundMistake {
  readonly place: MistakePlace
  readonly property: PropertyPath
  readonly message: string
}

/** Collects mistakes in files, so that one error reports many of them. */
export class ConfigMistakes {
  readonly #found: FoundMistake[] = []

  /** Adds a mistake. Ignores further mistakes once the maximum is reached. */
  add(place: MistakePlace, property: PropertyPath, message: string): void {
    if (!this.isFull) this.#found.push({ place, property, message: shorten(message) })
  }

  /** Runs a check and adds its ValidationError as a mistake. Returns undefined if the check failed. */
  collect<T>(place: MistakePlace, property: PropertyPath, check: () => T): T | undefined {
    try {
      return check()
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const [detail] = error.details ?? []
      const inner = detail?.path?.split('/').slice(1) ?? []
      this.add(place, [...property, ...inner.map(toKey)], detail?.message ?? error.message)
      return undefined
    }
  }

  /** True once the maximum number of mistakes is reached. */
  get isFull(): boolean {
    return this.#found.length >= MAX_MISTAKES
  }

  /** Throws ValidationError if any mistakes were found. */
  async require(budget: EventLoopBudget): Promise<void> {
    if (this.#found.length === 0) return
    const lines = await findAllLines(this.#found, budget)
    const mistakes = this.#found.map((found): ConfigMistake => {
      const { place, property, message } = found
      return { file: place.path, line: lines.get(found) ?? 1, property: shorten(property.join('.')), message }
    })
    const details = mistakes.map((mistake) => ({ message: formatMistake(mistake), path: mistake.file }))
    const message = `The files are not valid: ${details.map((one) => one.message).join('; ')}`
    throw new Problem('ValidationError', message, { details, extra: { mistakes } })
  }
}

/** Finds the lines of all mistakes, with one call per file. */
async function findAllLines(found: readonly FoundMistake[], budget: EventLoopBudget) {
  const lines = new Map<FoundMistake, number>()
  for (const own of Map.groupBy(found, ({ place }) => place.findLines).values()) {
    const [first] = own
    const ofPlace = await first?.place.findLines(
      own.map(({ property }) => property),
      budget,
    )
    for (const [index, mistake] of own.entries()) lines.set(mistake, ofPlace?.[index] ?? 1)
  }
  return lines
}

const toKey = (part: string): string | number => (/^\d+$/.test(part) ? Number(part) : part)

const shorten = (text: string): string => (text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`)

function formatMistake({ file, line, property, message }: ConfigMistake): string {
  return `${file}:${line}: ${property === '' ? '' : `${property}: `}${message}`
}
