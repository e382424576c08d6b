/** Whether a step looks up who sees a row, once for each (src/store/visibility.ts). */
export function isOfVisibility(detail: string): boolean {
  return /^(?:(?:CORRELATED )?(?:SCALAR|LIST) SUBQUERY \d+|SCAN (?:CONSTANT ROW|json_each .*)|SEARCH (?:own|hidden|attached)(?: EXISTS)? USING .*\(workspace_id=\? AND .*)$/.test(
    detail,
  )
}
