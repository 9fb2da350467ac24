import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const run = promisify(execFile);
const ALERTS = 'deploy/prometheus/alerts.yml';

/** Runs promtool, which Debian has in the package `prometheus`; `.ci/run` installs it. */
async function promtool(...words: string[]): Promise<string> {
  const { stdout } = await run('promtool', words);
  return stdout;
}

describe('promtool accepts', () => {
  test('the alert rules', async () => {
    expect(await promtool('check', 'rules', ALERTS)).toMatch(/SUCCESS: \d+ rules found/);
  });

  test('the configuration of Prometheus', async () => {
    const output = await promtool('check', 'config', 'deploy/prometheus/prometheus.yml');
    expect(output).toContain('1 rule files found');
  });

  test('each alert: a sick server raises it, and a healthy one does not', async () => {
    const output = await promtool('test', 'rules', 'deploy/prometheus/alerts.test.yml');
    expect(output).toContain('SUCCESS');
  });
});

test('every alert has a test, a summary and an action, and the documents say what to do', () => {
  const rules = readFileSync(ALERTS, 'utf8').split('- alert: ').slice(1);
  const tests = readFileSync('deploy/prometheus/alerts.test.yml', 'utf8');
  const document = readFileSync('docs/deploy.md', 'utf8');
  expect(rules.length).toBeGreaterThan(10);
  expect(document).toContain('### Alerts\n');
  for (const rule of rules) {
    const [name = ''] = rule.split('\n');
    expect(rule).toMatch(/summary: ".+"/);
    expect(rule).toMatch(/action: ".+ \(docs\/deploy\.md#alerts\)"/);
    expect(tests).toContain(`alertname="${name}"`);
    expect(document).toContain(`| \`${name}\` |`);
  }
});
