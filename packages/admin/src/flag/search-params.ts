/** Parts of a flag's page. */
export const TABS = ['environments', 'comments', 'history', 'usage', 'code'] as const
export type Tab = (typeof TABS)[number]

/** What the address of a flag's page says. */
export interface FlagPageSearch {
  readonly tab?: Tab
  /** Environment in which something is edited. */
  readonly env?: string
  /** Id of the strategy that is edited; `new` for one to come. */
  readonly strategy?: string
  /** The variants of `env` are edited. */
  readonly variants?: boolean
  /** Usage of so many hours back, and of one application. */
  readonly hours?: number
  readonly app?: string
  /** The flag as it was right after an event, or at a time; and what it is compared with. */
  readonly event?: number
  readonly at?: string
  readonly toEvent?: number
  readonly toAt?: string
}

/** Reads the address; what is not understood is left out. */
export function readFlagPageSearch(given: Record<string, unknown>): FlagPageSearch {
  const tab = TABS.find((one) => one === given.tab)
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(typeof given.env === 'string' ? { env: given.env } : {}),
    ...(typeof given.strategy === 'string' ? { strategy: given.strategy } : {}),
    ...(given.variants === true ? { variants: true } : {}),
    ...(typeof given.hours === 'number' && given.hours > 0 ? { hours: given.hours } : {}),
    ...(typeof given.app === 'string' && given.app !== '' ? { app: given.app } : {}),
    ...eventOf('event', given.event),
    ...timeOf('at', given.at),
    ...eventOf('toEvent', given.toEvent),
    ...timeOf('toAt', given.toAt),
  }
}

const eventOf = (name: string, value: unknown) =>
  Number.isInteger(value) && Number(value) > 0 ? { [name]: value } : {}
const timeOf = (name: string, value: unknown) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? { [name]: value } : {}
