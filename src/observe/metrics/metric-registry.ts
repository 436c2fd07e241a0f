import type { GivenMetric } from './otlp-metrics.ts'

/** Labels of a sample; their values come from the configuration and from closed sets, never from messages. */
export type Labels = Readonly<Record<string, string>>

/** A number that only grows. */
export interface Counter {
  add(labels: Labels, amount?: number): void
  /** Replaces all samples by totals that are counted elsewhere. */
  replace(samples: Iterable<readonly [Labels, number]>): void
}

/** A number that goes up and down. */
export interface Gauge {
  /** Replaces all samples. */
  replace(samples: Iterable<readonly [Labels, number]>): void
}

/** Counts of values by size. */
export interface Histogram {
  observe(labels: Labels, value: number): void
}

/** Name, meaning and labels of a metric. */
export interface MetricDefinition {
  /** With prefix and base unit, such as `sluice_feed_age_seconds`. */
  readonly name: string
  /** A sentence for its readers. */
  readonly help: string
  readonly labels: readonly string[]
}

/** Metrics in the text format of their reader. */
export interface MetricsText {
  readonly contentType: string
  readonly text: string
}

/** Makes metrics, and writes them all. */
export interface MetricRegistry {
  counter(definition: MetricDefinition): Counter
  gauge(definition: MetricDefinition): Gauge
  /** `buckets` are upper bounds, ascending. */
  histogram(definition: MetricDefinition, buckets: readonly number[]): Histogram
  write(): Promise<MetricsText>
  /** Every metric with its samples. */
  samples(): Promise<readonly GivenMetric[]>
}
