/** What a process complained of: its errors, less the lines that tell how far it has come, for those depend on how busy the machine is. */
export function withoutProgress(err: string): string {
  return err.replaceAll(/^(?:Reading|Played|Ran|Walked|Tested) .* …\n/gm, '')
}
