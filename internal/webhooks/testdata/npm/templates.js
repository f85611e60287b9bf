// Renders the templates that it reads as JSON, with the reference's own parser.
import { readFileSync } from 'node:fs';
import { WebhookPayloadTemplate } from '@apify/utilities';

const cases = JSON.parse(readFileSync(0, 'utf8'));
const names = new Set(['userId', 'createdAt', 'eventType', 'eventData', 'resource', 'globals']);
console.log(JSON.stringify(cases.map(({ template, values, interpolate }) => {
    try {
        return { json: JSON.stringify(WebhookPayloadTemplate.parse(template, names, values, { interpolateStrings: interpolate })) };
    } catch (e) {
        return { error: e.message };
    }
})));
