-- select notice_preferences 3f71ce6bb2 (ports, requests)
SELECT kinds, channels FROM notice_preferences WHERE business_id = $1 AND customer_id = $2
