/** Metric as SDKs report it. */
export interface ReportedMetric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly object[]
}

/** Report of an application in one minute. */
export interface MinuteReport {
  readonly metrics: readonly ReportedMetric[]
  /** Evaluations of the flag, by result; undefined if the source contains no evaluations. */
  readonly evaluations?: { readonly yes: number; readonly no: number }
}

/** Flag as served in a minute. */
export interface ServedState {
  /** Number of the active milestone; the first one is 1. */
  readonly milestone: number
  /** Share of users with the flag, from 0 to 1. */
  readonly share: number
}

/** Source of the metrics of a simulation. */
export interface MetricSource {
  /** Returns the reports of a minute; undefined if nothing is reported. Minute 0 is the start of the plan. */
  read(minute: number, served: ServedState): MinuteReport | undefined
}

/** Name of the application that sends simulated reports. */
export const APP_NAME = 'simulated'
/** Name of the simulated flag. Metrics have a label with this name. */
export const FLAG = 'simulated-flag'

/** Combines the reports of sources that each have other metrics. */
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
