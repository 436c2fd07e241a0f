import pino from 'pino'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import { configuredMarkets } from '../../../src/config/configured-market.ts'
import { metricsField } from '../../../src/config/metrics-field.ts'
import { otlpHeadersIn } from '../../../src/config/otlp-headers.ts'
import { BotMetrics } from '../../../src/observe/metrics/bot-metrics.ts'
import { otlpMetrics } from '../../../src/observe/metrics/otlp-metrics.ts'
import { prometheusRegistry } from '../../../src/observe/metrics/prometheus-registry.ts'
import { afterTest } from '../../after-test.ts'
import { fakeHttp, type Reply } from '../fake-http.ts'

describe('metrics for OpenTelemetry', () => {
  it('are sums, gauges and histograms with the counts of each bucket by itself', async () => {
    const registry = prometheusRegistry()
    registry.counter({ name: 'a_total', help: 'A.', labels: ['way'] }).add({ way: 'x' }, 3)
    registry.gauge({ name: 'b', help: 'B.', labels: [] }).replace([[{}, 1.5]])
    const histogram = registry.histogram({ name: 'c', help: 'C.', labels: [] }, [1, 10])
    for (const value of [0.5, 2, 3, 50]) histogram.observe({}, value)
    const times = { startTimeUnixNano: '1000000000', timeUnixNano: '2000000000' }
    expect(
      otlpMetrics(await registry.samples(), { 'service.name': 'sluice' }, { since: 1000, now: 2000 }),
    ).toEqual({
      resourceMetrics: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'sluice' } }] },
          scopeMetrics: [
            {
              scope: { name: 'sluice' },
              metrics: [
                {
                  ...{ name: 'a_total', description: 'A.' },
                  sum: {
                    ...{ aggregationTemporality: 2, isMonotonic: true },
                    dataPoints: [
                      { ...times, attributes: [{ key: 'way', value: { stringValue: 'x' } }], asDouble: 3 },
                    ],
                  },
                },
                {
                  name: 'b',
                  description: 'B.',
                  gauge: { dataPoints: [{ ...times, attributes: [], asDouble: 1.5 }] },
                },
                {
                  ...{ name: 'c', description: 'C.' },
                  histogram: {
                    aggregationTemporality: 2,
                    // 0.5 is below 1; 2 and 3 are below 10; 50 is beyond.
                    dataPoints: [
                      {
                        ...times,
                        attributes: [],
                        count: '4',
                        sum: 55.5,
                        bucketCounts: ['1', '2', '1'],
                        explicitBounds: [1, 10],
                      },
                    ],
                  },
                },
              ],
            },
          ],
        },
      ],
    })
  })

  /** Metrics that are exported once a second of virtual time. */
  async function exporting(replyTo: (count: number) => Reply) {
    const { url, arrived } = await fakeHttp((_request, count) => replyTo(count))
    const clock = new VirtualClock(0)
    const lines: string[] = []
    const config = metricsField.parse({ otlp: { url: `${url}/v1/metrics`, everyMs: 1000 } })
    const metrics = new BotMetrics({ config, marketOf: configuredMarkets({ spot: {} }), venue: {} })
    if (config.otlp === undefined) throw new Error('Nothing is exported.')
    const headers = { authorization: 'Bearer planted-secret' }
    metrics.exportTo(
      config.otlp,
      headers,
      'test',
      clock,
      pino({ base: null }, { write: line => lines.push(line) }),
    )
    afterTest(() => metrics.close())
    const second = async (requests: number) => {
      await clock.advanceTo(clock.now() + 1000)
      await expect.poll(() => arrived.length).toBe(requests)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    return { arrived, lines, second }
  }

  it('go to the collector again and again, also after it was away, which is told once', async () => {
    const { arrived, lines, second } = await exporting(count => ({ status: count <= 2 ? 503 : 200 }))
    for (let number = 1; number <= 4; number++) await second(number)
    expect(arrived[0]).toMatchObject({
      path: '/v1/metrics',
      headers: { 'content-type': 'application/json', authorization: 'Bearer planted-secret' },
    })
    expect(arrived[3]?.body).toContain('"name":"sluice_build_info"')
    expect(lines.map(line => JSON.parse(line).why)).toEqual(['HTTP 503'])
    expect(lines.join('') + arrived.map(({ body }) => body).join('')).not.toContain('planted-secret')
  })

  it('wait for a collector that hangs, and are not sent a second time meanwhile', async () => {
    const { second } = await exporting(() => 'hang')
    await second(1)
    await second(1)
  })
})

describe('headers for a collector', () => {
  it('come from the environment, as OpenTelemetry writes them', () => {
    expect(otlpHeadersIn('Authorization=Bearer%20planted, x-scope-orgid=7', 'V')).toEqual({
      authorization: 'Bearer planted',
      'x-scope-orgid': '7',
    })
  })

  it.each(['planted', 'a=planted,', 'a=%zzplanted', 'a=planted%0d%0ab: c', 'a b=planted'])(
    'are refused without being shown: %s',
    text => {
      expect(() => otlpHeadersIn(text, 'V')).toThrow(
        /^Header \d in the environment variable V cannot be read/,
      )
      expect(() => otlpHeadersIn(text, 'V')).not.toThrow(/planted/)
    },
  )
})
