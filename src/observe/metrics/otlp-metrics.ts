/** A metric as the registry of Prometheus gives it. */
export interface GivenMetric {
  readonly name: string
  readonly help: string
  readonly type: unknown
  readonly values: readonly {
    readonly value: number
    readonly labels: Readonly<Record<string, string | number | undefined>>
    readonly metricName?: string
  }[]
}

/** CUMULATIVE of opentelemetry.proto.metrics.v1.AggregationTemporality: counts since the start of the process. */
const CUMULATIVE = 2

/** Times of a data point, ms UTC. */
interface Span {
  readonly since: number
  readonly now: number
}

/**
 * Metrics as the body of an ExportMetricsServiceRequest in OTLP's JSON form (opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding): 64-bit
 * numbers are text. `service`: attributes of the process.
 */
export function otlpMetrics(
  metrics: readonly GivenMetric[],
  service: Readonly<Record<string, string>>,
  span: Span,
): object {
  const scope = { name: 'sluice' }
  return {
    resourceMetrics: [
      {
        resource: { attributes: attributesOf(service) },
        scopeMetrics: [
          {
            scope,
            metrics: metrics.filter(({ values }) => values.length > 0).map(one => metricOf(one, span)),
          },
        ],
      },
    ],
  }
}

function metricOf(metric: GivenMetric, span: Span): object {
  const { name, help: description, type, values } = metric
  const dataPoints = values.map(({ value, labels }) => ({
    ...timesOf(span),
    attributes: attributesOf(labels),
    asDouble: value,
  }))
  if (type === 'histogram')
    return {
      name,
      description,
      histogram: { aggregationTemporality: CUMULATIVE, dataPoints: histogramPoints(metric, span) },
    }
  if (type === 'counter')
    return { name, description, sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints } }
  return { name, description, gauge: { dataPoints } }
}

/** Counts of Prometheus contain those of the smaller buckets; OTLP has each by itself. */
function histogramPoints({ name, values }: GivenMetric, span: Span): readonly object[] {
  const groups = Map.groupBy(values, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels))
  return [...groups].map(([labels, samples]) => {
    const buckets = samples.filter(({ metricName }) => metricName === `${name}_bucket`)
    const valueOfPart = (part: string) =>
      samples.find(({ metricName }) => metricName === `${name}_${part}`)?.value ?? 0
    const counts = buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0))
    return {
      ...timesOf(span),
      attributes: attributesOf(JSON.parse(labels)),
      count: `${valueOfPart('count')}`,
      sum: valueOfPart('sum'),
      bucketCounts: counts.map(count => `${count}`),
      explicitBounds: buckets.map(({ labels: { le } }) => Number(le)).filter(Number.isFinite),
    }
  })
}

function timesOf({ since, now }: Span) {
  return { startTimeUnixNano: `${since}000000`, timeUnixNano: `${now}000000` }
}

function attributesOf(labels: GivenMetric['values'][number]['labels']) {
  return Object.entries(labels)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([key, value]) => ({ key, value: { stringValue: `${value}` } }))
}
