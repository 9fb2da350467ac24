-- Prints what wrk counted in a form that load.ts reads.
function done(summary)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format('SUMMARY {"answers":%d,"microseconds":%d,"bytes":%d,"failures":%d,"processorSeconds":%.3f}',
    summary.requests, summary.duration, summary.bytes, failures, os.clock()))
end
