/** Tabs of the flag page. */
export const TABS = ['environments', 'comments', 'history', 'usage', 'code'] as const
export type Tab = (typeof TABS)[number]

/** URL parameters of the flag page. */
export interface FlagPageSearch {
  readonly tab?: Tab
  /** Environment of the edited strategy or variants. */
  readonly env?: string
  /** Id of the edited strategy; `new` for a new strategy. */
  readonly strategy?: string
  /** True while the variants in `env` are being edited. */
  readonly variants?: boolean
  /** True while a release plan is being started in `env`. */
  readonly plan?: boolean
  /** Filters of the usage tab: the number of hours to show, and the application. */
  readonly hours?: number
  readonly app?: string
  /** Displayed point in time (right after an event, or a time), and the point in time to compare with. */
  readonly event?: number
  readonly at?: string
  readonly toEvent?: number
  readonly toAt?: string
}

/** Parses the URL parameters. Ignores invalid values. */
export function parseFlagPageSearch(given: Record<string, unknown>): FlagPageSearch {
  const tab = TABS.find((one) => one === given.tab)
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(typeof given.env === 'string' ? { env: given.env } : {}),
    ...(typeof given.strategy === 'string' ? { strategy: given.strategy } : {}),
    ...(given.variants === true ? { variants: true } : {}),
    ...(given.plan === true ? { plan: true } : {}),
    ...(typeof given.hours === 'number' && given.hours > 0 ? { hours: given.hours } : {}),
    ...(typeof given.app === 'string' && given.app !== '' ? { app: given.app } : {}),
    ...parseEventParam('event', given.event),
    ...parseTimeParam('at', given.at),
    ...parseEventParam('toEvent', given.toEvent),
    ...parseTimeParam('toAt', given.toAt),
  }
}

const parseEventParam = (name: string, value: unknown) =>
  Number.isInteger(value) && Number(value) > 0 ? { [name]: value } : {}
const parseTimeParam = (name: string, value: unknown) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? { [name]: value } : {}
