import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { MetricDefinition, MetricRegistry } from './metric-registry.ts'

/** Metrics in the text format of Prometheus. */
export function prometheusRegistry(): MetricRegistry {
  const registry = new Registry()
  const own = ({ name, help, labels }: MetricDefinition) => ({
    ...{ name, help, labelNames: [...labels] },
    registers: [registry],
  })
  return {
    counter: definition => {
      const counter = new Counter(own(definition))
      return {
        add: (labels, amount = 1) => counter.inc(labels, amount),
        replace: samples => {
          counter.reset()
          for (const [labels, total] of samples) counter.inc(labels, total)
        },
      }
    },
    gauge: definition => {
      const gauge = new Gauge(own(definition))
      return {
        replace: samples => {
          gauge.reset()
          if (definition.labels.length === 0) gauge.remove()
          for (const [labels, value] of samples) gauge.set(labels, value)
        },
      }
    },
    histogram: (definition, buckets) => {
      const histogram = new Histogram({ ...own(definition), buckets: [...buckets] })
      return { observe: (labels, value) => histogram.observe(labels, value) }
    },
    samples: () => registry.getMetricsAsJSON(),
    write: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}
