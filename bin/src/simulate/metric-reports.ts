/** Metric as SDKs report it. */
export interface ReportedMetric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly object[]
}

/** Report from an application about one minute. */
export interface MinuteReport {
  readonly metrics: readonly ReportedMetric[]
  /** Evaluations of the flag, by result; undefined if the source contains no evaluations. */
  readonly evaluations?: { readonly yes: number; readonly no: number }
}

/** State of the flag in one minute. */
export interface ServedState {
  /** Number of the active milestone; the first one is 1. */
  readonly milestone: number
  /** Fraction of users that have the flag, from 0 to 1. */
  readonly share: number
}

/** Source of the metrics of a simulation. */
export interface MetricSource {
  /**
   * Returns the reports about one minute; undefined if nothing is reported in it. Minute 0 is the start of the plan.
   */
  read(minute: number, served: ServedState): MinuteReport | undefined
}

/** Name of the application that sends the simulated reports. */
export const APP_NAME = 'simulated'
/** Name of the simulated flag. All metrics have a label with the name of the flag. */
export const FLAG = 'simulated-flag'

/** Combines the reports of several sources, each with different metrics. */
export function combineSources(sources: readonly MetricSource[]): MetricSource {
  return {
    read(minute, served) {
      const reports = sources.map((source) => source.read(minute, served)).filter((report) => report !== undefined)
      if (reports.length === 0) return undefined
      const evaluations = reports.find((report) => report.evaluations !== undefined)?.evaluations
      return { metrics: reports.flatMap(({ metrics }) => metrics), ...(evaluations && { evaluations }) }
    },
  }
}
