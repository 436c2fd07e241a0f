import type { Command } from 'commander'
import type { OnExitCode, OutputStreams } from '../streams.ts'
import type { GivenStudy } from './study-options.ts'
import { studyOption } from './study-options.ts'

interface GivenJson extends GivenStudy {
  readonly json: boolean
}

interface GivenReport {
  readonly html: string
  readonly data?: string
}

/** Adds `studies` and its commands to the program. */
export function defineStudies(program: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  const studies = program
    .command('studies')
    .description('Show and export the trials that were ever run.')
    .helpCommand(false)
  studies
    .command('list')
    .description('Show how many trials there are of each strategy on which data.')
    .addOption(studyOption())
    .option('--json', 'write one JSON object', false)
    .action(async ({ study, json }: GivenJson) => {
      const { listStudies } = await import('../research/studies-command.ts')
      onExitCode(listStudies(study, json, streams.out))
    })
  studies
    .command('show')
    .description('Show the best trials of a strategy, and what all of them leave of the best Sharpe ratio.')
    .argument('<strategy>', 'name of a strategy, as the list shows it')
    .addOption(studyOption())
    .option('--json', 'write one JSON object with all trials', false)
    .action(async (strategy: string, { study, json }: GivenJson) => {
      const { showStudies } = await import('../research/studies-command.ts')
      onExitCode(showStudies(strategy, study, json, streams.out))
    })
  studies
    .command('report')
    .description('Write one page with charts and every trial of a strategy.')
    .argument('<strategy>', 'name of a strategy, as the list shows it')
    .requiredOption('--html <file>', 'HTML file that the page is written to')
    .option('--data <hash>', 'data of the trials, as the list shows them, where there are several')
    .addOption(studyOption())
    .action(async (strategy: string, { study, html, data }: GivenStudy & GivenReport) => {
      const { reportStudy } = await import('../research/pages/report-study.ts')
      onExitCode(reportStudy({ strategy, html, data, study }, streams.out))
    })
  studies
    .command('export')
    .description('Write all trials with their daily returns to a file.')
    .argument('<file>', 'a file that ends with .csv or .parquet')
    .addOption(studyOption())
    .action(async (file: string, { study }: GivenStudy) => {
      const { exportStudies } = await import('../research/export-studies.ts')
      onExitCode(exportStudies(file, study, streams.out))
    })
}
