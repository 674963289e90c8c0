/** Three lines that report an impact metric, by the id of the SDK. The SDKs set up the variable `flags`. */
export const METRIC_CODE: Readonly<Record<string, string>> = {
  node: `flags.impactMetrics.defineCounter('errors', 'Failed requests')
// where a request fails
flags.impactMetrics.incrementCounter('errors')`,
  java: `flags.getImpactMetrics().defineCounter("errors", "Failed requests");
// where a request fails
flags.getImpactMetrics().incrementCounter("errors");`,
  python: `flags.impact_metrics.define_counter("errors", "Failed requests")
# where a request fails
flags.impact_metrics.increment_counter("errors")`,
  javascript: `flags.impactMetrics.defineCounter('errors', 'Failed requests')
// where a request fails
flags.impactMetrics.incrementCounter('errors')`,
}
