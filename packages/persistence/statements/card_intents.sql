-- insert card_intents ba9a3849d4 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO card_intents (business_id, intent_id, invoice_id, amount_minor, created_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (business_id, intent_id) DO NOTHING

-- select card_intents 14b0740df3 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*) AS ended FROM card_intents WHERE business_id = $1 AND invoice_id = $2 AND amount_minor = $3 AND ended_at IS NOT NULL

-- select card_intents 8369cdcbbb (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT business_id, invoice_id, intent_id, amount_minor FROM card_intents WHERE business_id = $1 AND invoice_id = $2 AND ended_at IS NULL ORDER BY created_at, intent_id

-- select card_intents 894db18a33 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT business_id, invoice_id, intent_id, amount_minor FROM card_intents WHERE ended_at IS NULL AND created_at >= $1 AND (business_id, intent_id) > ($2, $3) ORDER BY business_id, intent_id LIMIT $4

-- update card_intents d9c1c26ad5 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE card_intents SET ended_at = $1 WHERE business_id = $2 AND intent_id = $3 AND ended_at IS NULL
